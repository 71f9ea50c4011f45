import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createMarketingSettings,
  defaultMarketingSettings,
  marketingSettingsSlug as slug,
} from '../../src/marketing-settings/marketing-settings.js'
import { resolveOptions } from '../../src/options.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

const options = resolveOptions({
  marketing: {
    settings: {
      privateApiKey: 'pk_preset',
      eventPrefix: 'Tea',
      allowedLists: ['NEWS'],
      builtInEvents: { placedOrder: false },
      statusEvents: [{ status: 'shipped', event: 'Fulfilled Order' }],
    },
  },
})

describe.each(databaseKinds)('the marketing settings (%s)', (kind) => {
  let store: TestStore
  beforeEach(async () => {
    store = await openStore(kind, {
      options: { marketing: { settings: options.marketing.settings } },
    })
  })
  afterEach(() => store.close())

  const sourceAt = (now: () => Date, environment: Record<string, string> = {}) => {
    const source = createMarketingSettings(store.payload, options.marketing.settings, {
      environment: { NODE_ENV: 'test', ...environment },
      now,
    })
    return { marketing: () => source.get(), forgetMarketing: () => source.forget() }
  }

  it('are the presets until a merchant saves others, lists included', async () => {
    const settings = sourceAt(() => new Date())
    expect(await settings.marketing()).toMatchObject({
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
        statusEvents: [{ status: 'completed', event: 'Delivered Order' }],
        accountUpdates: false,
      },
    })
    settings.forgetMarketing()
    expect(await settings.marketing()).toMatchObject({
      privateApiKey: 'pk_preset',
      allowedLists: [],
      allowedEvents: ['Liked'],
      builtInEvents: { placedOrder: true, refundedOrder: true },
      statusEvents: [{ status: 'completed', event: 'Delivered Order' }],
      accountUpdates: false,
    })

    await store.payload.updateGlobal({ slug, data: { statusEvents: [] } })
    settings.forgetMarketing()
    expect(await settings.marketing()).toMatchObject({ statusEvents: [] })
  })

  it('keep the key encrypted and show it as dots', async () => {
    const saved = await store.payload.updateGlobal({ slug, data: { privateApiKey: 'pk_secret' } })
    expect(saved).toMatchObject({ privateApiKey: '••••••••' })
    const stored: Record<string, unknown> = await store.payload.db.findGlobal({ slug })
    expect(stored.privateApiKey).toMatch(/^encrypted:/)
    expect(await sourceAt(() => new Date()).marketing()).toMatchObject({
      privateApiKey: 'pk_secret',
    })
  })

  it('say why there is no key', async () => {
    const read = async (privateApiKey: string, environment: Record<string, string>) => {
      await store.payload.updateGlobal({ slug, data: { privateApiKey } })
      return sourceAt(() => new Date(), environment).marketing()
    }
    expect(await read('$KEY', { KEY: 'pk_env' })).toMatchObject({
      privateApiKey: 'pk_env',
      keyProblem: undefined,
    })
    expect((await read('$KEY', {})).keyProblem).toBe('variable-missing')
    expect((await read('', {})).keyProblem).toBe('missing')
  })

  it('are read anew every three seconds, and at once when they were changed here', async () => {
    let now = new Date('2026-05-01T12:00:00Z')
    const settings = sourceAt(() => now)
    const read = vi.spyOn(store.payload.db, 'findGlobal')
    await settings.marketing()
    await settings.marketing()
    expect(read).toHaveBeenCalledTimes(1)
    now = new Date(now.getTime() + 3000)
    await settings.marketing()
    expect(read).toHaveBeenCalledTimes(2)
    settings.forgetMarketing()
    await settings.marketing()
    expect(read).toHaveBeenCalledTimes(3)
    read.mockRestore()
  })

  it('do not keep a reading that failed', async () => {
    const settings = sourceAt(() => new Date())
    const read = vi.spyOn(store.payload.db, 'findGlobal').mockRejectedValueOnce(new Error('gone'))
    await expect(settings.marketing()).rejects.toThrow('gone')
    expect(await settings.marketing()).toMatchObject({ eventPrefix: 'Tea' })
    read.mockRestore()
  })
})
