import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { marketingSettingsSlug as slug } from '../../../src/marketing/settings/marketing-settings.js'
import { partsOf } from '../../support/parts.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'
import { defaultMarketingSettings } from '../../support/default-settings.js'

const settings = {
  privateApiKey: 'pk_preset',
  eventPrefix: 'Tea',
  allowedLists: ['NEWS'],
  builtInEvents: { placedOrder: false },
  statusEvents: [{ status: 'shipped', event: 'Fulfilled Order' }],
}

describe('the marketing settings', () => {
  let store: TestStore
  let now: Date
  beforeEach(async () => {
    now = new Date('2026-05-01T12:00:00Z')
    store = await openStore(anyKind, {
      options: { marketing: { settings } },
      effects: { now: () => now },
    })
  })
  afterEach(() => store.close())

  const read = () => partsOf(store.payload).marketingSettings.get()

  it('are the presets until a merchant saves others, lists included', async () => {
    expect(await read()).toMatchObject({
      privateApiKey: 'pk_preset',
      keyProblem: undefined,
      eventPrefix: 'Tea',
      allowedLists: ['NEWS'],
      allowedEvents: [],
      builtInEvents: { ...defaultMarketingSettings.builtInEvents, placedOrder: false },
      postsPerAddress: 60,
      statusEvents: [{ status: 'shipped', event: 'Fulfilled Order' }],
      accountUpdates: true,
    })

    await store.payload.updateGlobal({
      slug,
      data: {
        allowedLists: [],
        allowedEvents: ['Liked'],
        builtInEvents: { placedOrder: true },
        statusEvents: [
          { status: ' completed ', event: ' Delivered Order ' },
          { status: 'completed', event: 'Second' },
        ],
        accountUpdates: false,
      },
    })
    expect(await read()).toMatchObject({
      privateApiKey: 'pk_preset',
      allowedLists: [],
      allowedEvents: ['Liked'],
      builtInEvents: { placedOrder: true, refundedOrder: true },
      statusEvents: [{ status: 'completed', event: 'Delivered Order' }],
      accountUpdates: false,
    })

    await store.payload.updateGlobal({ slug, data: { statusEvents: [] } })
    expect(await read()).toMatchObject({ statusEvents: [] })
  })

  it('keep the key encrypted and show it as dots', async () => {
    const saved = await store.payload.updateGlobal({ slug, data: { privateApiKey: 'pk_secret' } })
    expect(saved).toMatchObject({ privateApiKey: '••••••••' })
    const stored: Record<string, unknown> = await store.payload.db.findGlobal({ slug })
    expect(stored.privateApiKey).toMatch(/^encrypted:/)
    expect(await read()).toMatchObject({ privateApiKey: 'pk_secret' })
  })

  it('say why there is no key', async () => {
    const save = (privateApiKey: string) =>
      store.payload.updateGlobal({ slug, data: { privateApiKey, eventPrefix: '$TEST_KEY' } })
    await save('$TEST_KEY')
    expect((await read()).keyProblem).toBe('variable-missing')
    vi.stubEnv('TEST_KEY', 'pk_env')
    onTestFinished(() => void vi.unstubAllEnvs())
    const settings = { privateApiKey: 'pk_env', keyProblem: undefined, eventPrefix: '$TEST_KEY' }
    expect(await read()).toMatchObject(settings)
    await save('')
    expect((await read()).keyProblem).toBe('missing')
  })

  it('are read anew every three seconds, and at once when they were changed here', async () => {
    const found = vi.spyOn(store.payload.db, 'findGlobal')
    onTestFinished(() => found.mockRestore())
    await read()
    await read()
    expect(found).toHaveBeenCalledTimes(1)
    now = new Date(now.getTime() + 3000)
    await read()
    expect(found).toHaveBeenCalledTimes(2)
    await store.payload.updateGlobal({ slug, data: { eventPrefix: 'Green' } })
    expect(await read()).toMatchObject({ eventPrefix: 'Green' })
  })

  it('do not keep a reading that failed', async () => {
    const found = vi.spyOn(store.payload.db, 'findGlobal').mockRejectedValueOnce(new Error('gone'))
    await expect(read()).rejects.toThrow('gone')
    expect(await read()).toMatchObject({ eventPrefix: 'Tea' })
    found.mockRestore()
  })
})
