import { describe, expect, it } from 'vitest'
import { boundProfile } from '../../../src/klaviyo/bound-profile.js'
import { platformLimits } from '../../../src/klaviyo/limits.js'
import type { Profile } from '../../../src/klaviyo/profile.js'

const bound = (profile: Profile) => {
  const fields: string[] = []
  return { profile: boundProfile(profile, (field) => void fields.push(field)), fields }
}

describe('boundProfile', () => {
  it('leaves a profile of common size as it is', () => {
    const profile = {
      email: 'ann@shop.example',
      location: { city: 'Bonn' },
      properties: { Size: 'M', Tags: ['a'] },
    }
    expect(bound(profile)).toEqual({ profile, fields: [] })
  })

  it('leaves out what makes a profile larger than 100 KB, the identifiers last', () => {
    const { profile, fields } = bound({
      email: 'ann@shop.example',
      firstName: 'a'.repeat(60_000),
      location: { city: 'b'.repeat(60_000), country: 'DE' },
      properties: { Long: 'c'.repeat(60_000), Short: 'd' },
    })
    expect(profile).toEqual({
      email: 'ann@shop.example',
      firstName: 'a'.repeat(60_000),
      location: { country: 'DE' },
      properties: { Short: 'd' },
    })
    expect(fields).toEqual(['profile[location][city]', 'profile[properties][Long]'])
    expect(Buffer.byteLength(JSON.stringify(profile))).toBeLessThan(platformLimits.profileBytes)
  })

  it('measures bytes as they are sent, not characters', () => {
    const { fields } = bound({ email: 'a@b.de', properties: { Quotes: '"'.repeat(60_000) } })
    expect(fields).toEqual(['profile[properties][Quotes]'])
  })
})
