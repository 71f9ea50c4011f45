'use client'

import { useState } from 'react'
import type { WindowReport } from '../overview/overview-endpoints.js'
import { windowPreviewPath } from '../overview/overview-paths.js'
import { TestButton, type TestLine } from './buttons.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'

/** ShipStation asks for the changes of some days; this is about a month of them. */
const askedDays = 30

/** Nobody has this login. A refusal of it shows that logins arrive. */
const strangersLogin = `Basic ${btoa('storeconnect-test:-')}`

/** Whether ShipStation's URL answers, whether logins arrive there, and which orders ShipStation would get. */
export function ExportTest({ url }: { url: string }) {
  const { translate, counted } = useWords()
  const { ask, isBusy } = useShop()
  const [lines, show] = useState<readonly TestLine[]>([])

  const test = async () => {
    const address = await testAddress(url)
    const answer = await ask<WindowReport>(`${windowPreviewPath}?${windowOf(new Date())}`)
    show([
      {
        type: address.is === 'works' ? 'success' : 'error',
        text: translate(texts[address.is], { url, ...address }),
      },
      'body' in answer
        ? {
            type: 'success',
            text: translate('exportTestOrders', {
              orders: counted('overviewOrders', answer.body.total),
            }),
          }
        : { type: 'error', text: answer.problem ?? translate('overviewUnanswered') },
    ])
  }
  return <TestButton isBusy={isBusy} label={translate('exportTest')} lines={lines} onPress={test} />
}

type Address = { is: 'works' | 'loginLost' | 'unreachable' } | { is: 'other'; status: string }

const texts = {
  works: 'exportTestWorks',
  loginLost: 'exportTestLoginLost',
  unreachable: 'exportTestUnreachable',
  other: 'exportTestOther',
} as const

async function testAddress(url: string): Promise<Address> {
  try {
    const { status, headers } = await fetch(`${url}?action=export`, {
      credentials: 'omit',
      headers: { authorization: strangersLogin },
      redirect: 'manual',
    })
    const code = headers.get('x-error-code')
    if (code === 'LOGIN_MISSING') return { is: 'loginLost' }
    // Who tests often is refused for a while; ShipStation's own login is not.
    const isRefused = code === 'ACCESS_DENIED' || code === 'TOO_MANY_FAILED_LOGINS'
    return isRefused ? { is: 'works' } : { is: 'other', status: String(status) }
  } catch {
    return { is: 'unreachable' }
  }
}

/** The parameters as ShipStation writes them. */
function windowOf(now: Date): URLSearchParams {
  const text = (at: Date) => {
    const [, year = '', month = '', day = '', time = ''] =
      /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(at.toISOString()) ?? []
    return `${month}/${day}/${year} ${time}`
  }
  const dayMs = 86_400_000
  return new URLSearchParams({
    start_date: text(new Date(now.getTime() - askedDays * dayMs)),
    end_date: text(new Date(now.getTime() + dayMs)),
  })
}
