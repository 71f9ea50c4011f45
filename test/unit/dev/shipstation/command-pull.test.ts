import { describe, expect, it } from 'vitest'
import { parseCommandLine, UsageError } from '../../../../dev/shipstation/command-line.ts'
import { pullCommand } from '../../../../dev/shipstation/command-pull.ts'

/** What the command says of an answer with so many pages, none of whose orders was complete. */
async function saidOf(pages: number): Promise<string> {
  const command = parseCommandLine(['pull'], { env: {}, now: new Date() })
  if (command.name !== 'pull') throw new Error('It is no pull.')
  const lines: string[] = []
  await pullCommand(command.filter, {
    shipStation: {
      pull: () => Promise.resolve({ orders: [], pages, documents: [] }),
      ship: () => Promise.reject(new Error('Nothing is shipped here.')),
    },
    say: (line) => void lines.push(line),
  })
  return lines.join(' ')
}

describe('npm run shipstation -- pull', () => {
  it('ends with where the orders are that the shop left out, and why', async () => {
    expect(await saidOf(1)).toMatch(
      /0 orders · 1 page · .* The shop leaves out orders that are not complete: its admin says which and why, under Storeconnect, Skipped orders$/,
    )
  })

  it('says nothing of it where no order matched', async () => {
    expect(await saidOf(0)).toMatch(/0 orders · 0 pages · [\d.]+ s$/)
  })

  it('asks the store that the address names, or the one on the port of PORT', () => {
    const urlOf = (env: Record<string, string>, ...flags: string[]) => {
      const command = parseCommandLine(['pull', ...flags], { env, now: new Date() })
      return command.name === 'pull' ? command.connection.url : undefined
    }
    const path = '/actions/shippingconnect/orders/process'
    const shop = `https://shop.example${path}`
    expect(urlOf({})).toBe(`http://127.0.0.1:3000${path}`)
    expect(urlOf({ PORT: '3100' })).toBe(`http://127.0.0.1:3100${path}`)
    expect(urlOf({ PORT: '3100', SHIPSTATION_URL: shop })).toBe(shop)
    expect(urlOf({ PORT: '3100' }, '--url', shop)).toBe(shop)
    expect(() => urlOf({ PORT: 'web' })).toThrow(UsageError)
  })
})
