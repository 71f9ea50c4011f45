import { sql, type SQL } from 'drizzle-orm'
import { column, columnOrNull, optionalColumn, selected } from '../../core/database/database.js'
import { readDocumentId, type DocumentId } from '../../core/database/document-id.js'
import { Problem } from '../../core/errors.js'
import { textOf } from '../../core/payload/document-value.js'
import { readEmail } from '../../core/people/email.js'
import { phoneSpellings, readPhoneNumber } from '../../core/people/phone-number.js'
import { profileKey } from '../../core/people/profile-key.js'
import { accountPhoneFields } from '../../core/people/phone-fields.js'
import type { Shop } from '../../core/shop.js'
import { formerCustomerField } from '../../shop/orders/order-fields.js'
import { isTextColumn } from '../../shop/orders/stored-value.js'
import { formerCustomerNote } from '../erasure/former-customers.js'
import type { PersonQuery } from './person.js'
import type { Account, Who } from './who.js'
import type { PersonMarketing } from './person-marketing.js'

/** A page lists so many accounts with one phone number. */
const mostAccounts = 20

/** Finds whom a query means, each by an index. Undefined: there is no such document. */
export function createFindPerson(
  { payload, database, options, customersSlug }: Shop,
  marketing: PersonMarketing | undefined,
) {
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const table = customersSlug === undefined ? undefined : database.optionalTable(customersSlug)
  const phones = accountPhoneFields.flatMap((name) => {
    const phone = table && optionalColumn(table, name)
    return phone && isTextColumn(phone) ? [phone] : []
  })

  const accountsWhere = async (condition: SQL): Promise<Account[]> =>
    table === undefined
      ? []
      : ((await database.rows(
          sql`select ${selected({
            id: column(table, 'id'),
            email: columnOrNull(table, 'email'),
            phone:
              phones.length === 0
                ? sql`null`
                : sql`coalesce(${sql.join([...phones, sql`null`], sql`, `)})`,
            name: columnOrNull(table, 'name'),
            firstName: columnOrNull(table, 'firstName'),
            lastName: columnOrNull(table, 'lastName'),
            deletedAt: columnOrNull(table, 'deletedAt'),
            ...marketing?.accountColumns(table),
          })} from ${table} where ${condition} order by ${column(table, 'id')} limit ${mostAccounts}`,
        )) as Account[])

  const whoOfAccount = (account: Account): Who => {
    const email = textOf(account.email)
    const who = { ...(email === undefined ? nobody : whoOfEmail(email)), account }
    return withPhone(who, readPhoneNumber(textOf(account.phone) ?? ''))
  }

  async function byAccount(id: DocumentId): Promise<Who | undefined> {
    const [account] = table ? await accountsWhere(sql`${column(table, 'id')} = ${id}`) : []
    return account && whoOfAccount(account)
  }

  async function byEmail(email: string): Promise<Who> {
    const own = table && optionalColumn(table, 'email')
    const [account] = own ? await accountsWhere(sql`${own} = ${email.toLowerCase()}`) : []
    if (account === undefined) return whoOfEmail(email)
    const who = whoOfAccount(account)
    return { ...who, emails: [...new Set([email, ...who.emails])] }
  }

  async function byPhone(text: string): Promise<Who[]> {
    const spellings = phoneSpellings(text)
    const has = phones.map((phone) => database.isOneOf(phone, spellings))
    const accounts = has.length > 0 ? await accountsWhere(sql`(${sql.join(has, sql` or `)})`) : []
    return accounts.length > 0
      ? accounts.map(whoOfAccount)
      : [withPhone(nobody, readPhoneNumber(text))]
  }

  async function byOrder(id: DocumentId): Promise<Who | undefined> {
    const [order] = await database.rows(
      sql`select ${selected({
        customer: columnOrNull(orders, fields.customer),
        email: columnOrNull(orders, fields.customerEmail),
        former: column(orders, formerCustomerField),
      })} from ${orders} where ${column(orders, 'id')} = ${id}`,
    )
    if (order === undefined) return undefined
    const account = order.customer ? await byAccount(order.customer as DocumentId) : undefined
    const email = readEmail(textOf(order.email) ?? '')
    const who = account ?? (email === undefined ? nobody : await byEmail(email))
    const former = textOf(order.former)
    if (former !== undefined) return { ...who, formerNotes: [...who.formerNotes, former] }
    return who === nobody ? undefined : who
  }

  async function bySend(text: string): Promise<Who | undefined> {
    const send = await marketing?.ofSend(text)
    if (send === undefined) return undefined
    const account = send.account && (await byDocument('customer', send.account))
    return account || byProfile(send.profile)
  }

  async function byProfile(profile: string): Promise<Who> {
    const [, kind, text = ''] = /^(email|phone):(.*)$/s.exec(profile) ?? []
    if (kind === 'email') return byEmail(text)
    return { ...nobody, phoneNumbers: kind === 'phone' ? [text] : [], profiles: [profile] }
  }

  async function byDocument(of: 'order' | 'customer', text: string): Promise<Who | undefined> {
    const slug = of === 'order' ? collections.orders : customersSlug
    const id = slug === undefined ? undefined : readDocumentId(payload, slug, text)
    if (id === undefined) return undefined
    return of === 'order' ? byOrder(id) : byAccount(id)
  }

  /**
   * One, or several accounts with a phone number; none when there is no such document, or it names nobody.
   *
   * @throws {Problem} PERSON_INVALID.
   */
  return async ({ by, value }: PersonQuery): Promise<Who[]> => {
    if (by === 'text') {
      const email = readEmail(value)
      if (email !== undefined) return [await byEmail(email)]
      if (phoneSpellings(value).length === 0) throw new Problem('PERSON_INVALID')
      return byPhone(value)
    }
    const who = await (by === 'send' ? bySend(value) : byDocument(by, value))
    return who === undefined ? [] : [who]
  }
}

const nobody: Who = {
  account: undefined,
  emails: [],
  phoneNumbers: [],
  profiles: [],
  formerNotes: [],
}

const whoOfEmail = (email: string): Who => ({
  ...nobody,
  emails: [email],
  profiles: [profileKey({ email })],
  formerNotes: [formerCustomerNote([email])],
})

/** With the sends that have a phone number alone. */
const withPhone = (who: Who, phoneNumber: string | undefined): Who =>
  phoneNumber === undefined
    ? who
    : {
        ...who,
        phoneNumbers: [phoneNumber],
        profiles: [...who.profiles, profileKey({ phoneNumber })],
      }
