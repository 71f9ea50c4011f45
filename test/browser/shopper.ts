import type { Page } from 'playwright-core'
import { accounts } from '../../dev/seed/accounts.ts'

/** What shoppers do on the pages of the demo store. */
export function shopperOn(page: Page, origin: string) {
  return {
    async putIntoCart(title: string, at = '/') {
      await page.goto(origin + at)
      await page.getByRole('button', { name: `Add ${title} to the cart` }).click()
      await page.getByText('Your cart has been updated.').waitFor()
    },

    /** The link that a mail about the cart would have. */
    async restoreLink(): Promise<string> {
      const info = await page.request.get(`${origin}/actions/users/session-info`)
      const { csrfTokenValue } = (await info.json()) as { csrfTokenValue: string }
      const answer = await page.request.post(`${origin}/actions/commerce/cart/update-cart`, {
        form: { CSRF_TOKEN: csrfTokenValue },
        headers: { 'x-requested-with': 'XMLHttpRequest' },
      })
      const { number } = (await answer.json()) as { number: string }
      return restoreLinkOf(origin, number)
    },

    /** On the page of the login. */
    async logInAs(name: 'zofia' | 'daniel') {
      const { email, password } = account(name)
      await page.getByLabel('Email', { exact: true }).first().fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Log in' }).click()
    },

    /** As a script of the page does, which then stays as it is. */
    async logInBehindThePage(name: 'zofia' | 'daniel') {
      const { email, password } = account(name)
      const info = await page.request.get(`${origin}/actions/users/session-info`)
      const { csrfTokenValue } = (await info.json()) as { csrfTokenValue: string }
      const answer = await page.request.post(`${origin}/actions/users/login`, {
        form: { email, password, CSRF_TOKEN: csrfTokenValue },
        headers: { accept: 'application/json', origin },
      })
      if (!answer.ok()) throw new Error(`The login failed: ${await answer.text()}`)
    },

    /** On the page of the checkout, as a guest. */
    async buy() {
      await page.getByLabel('Email').first().fill('guest@shop.example')
      await page.getByLabel('First name').fill('Gwen')
      await page.getByLabel('Last name').fill('Guest')
      await page.getByLabel('Street and number').fill('Long Lane 1')
      await page.getByLabel('Postal code').fill('D02 X285')
      await page.getByLabel('City').fill('Dublin')
      await page.getByLabel('Country').selectOption('IE')
      await page.getByLabel('On the card').fill('For you')
      const news = page.getByLabel('Yes, send me the tea letter')
      if (await news.isChecked()) throw new Error('A box of consent must not be ticked at first')
      await news.check()
      const kept = page.waitForResponse((response) => response.url().endsWith('/update-cart'))
      await page.getByRole('button', { name: 'Buy now' }).click()
      const posted = new URLSearchParams((await kept).request().postData() ?? '')
      const isKept = posted.get('consent[email]') === '1' && (await kept).ok()
      if (!isKept) throw new Error('The consent was not kept')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
    },
  }
}

export const restoreLinkOf = (origin: string, number: string): string =>
  `${origin}/actions/marketingconnect/cart/restore?number=${number}`

function account(name: string) {
  const found = accounts.find(({ email }) => email.startsWith(`${name}@`))
  if (!found) throw new Error(`The demo store has no account of ${name}`)
  return found
}
