import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { anyKind } from '../../support/store.js'
import { project } from '../../unit/installer/shop-folder.js'
import { templateShop } from './template-shop.js'

const createLine = 'payload migrate:create storeconnect --skip-empty'

/** A shop with a migration, which has dropped a collection since: Payload asks whether a new table is that one. */
async function aShopThatIsAsked() {
  const shop = await templateShop(anyKind)
  await shop.payload('migrate:create', 'shop')
  shop.changeConfig('Pages, Categories, Media', 'Categories, Media')
  const migrations = () =>
    readdirSync(join(shop.folder, 'src/migrations')).filter((name) =>
      name.endsWith('storeconnect.ts'),
    )
  return { ...shop, migrations }
}

describe('What Payload asks while the installer makes a migration', { timeout: 600_000 }, () => {
  it('is left to a person where there is no terminal', async () => {
    const shop = await aShopThatIsAsked()
    for (const command of ['init', 'upgrade'] as const) {
      const { code, said } = await shop.install(command)
      expect({ code, said }).toEqual({ code: 2, said })
      expect(said).toContain(`${createLine} asks what is new and what was renamed`)
    }
    expect(shop.migrations()).toEqual([])
    expect((await shop.install('doctor')).said).toContain(createLine)
  })

  // The `script` of other systems takes other parameters.
  const isLinux = process.platform === 'linux'
  it.runIf(isLinux)('is answered in the terminal, in which the command goes on', async () => {
    const shop = await aShopThatIsAsked()
    expect((await shop.install('init')).code).toBe(2)
    const { code, shown } = await inTerminal(shop.folder, 'upgrade')
    expect({ code, shown }).toEqual({ code: 0, shown })
    expect(shown).toContain('answer each question with “create”')
    expect(shown).toContain('Everything is in place.')
    expect(shop.migrations()).toHaveLength(1)
  })
})

/** Runs the command in a pseudo terminal (util-linux), and presses Enter at each question: "create" is its first answer. */
async function inTerminal(folder: string, given: string) {
  const command = `${process.execPath} --import ${import.meta.resolve('tsx')} ${project}/src/mounts/cli/storeconnect.ts ${given}`
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder })
  let shown = ''
  let asked = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const text = stripVTControlCharacters(chunk.toString())
    shown += text
    asked += text
    if (!/created or renamed from another [^]*\n.*❯/.test(asked)) return
    asked = ''
    child.stdin.write('\r')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, shown }
}
