/** Where a parcel goes. Empty lines are left out. */
export interface PostalAddress {
  title?: string
  firstName: string
  lastName: string
  company?: string
  addressLine1: string
  addressLine2?: string
  city: string
  state?: string
  postalCode: string
  country: string
  phone: string
}

export interface Person {
  email: string
  address: PostalAddress
}

const person = (
  email: string,
  name: [first: string, last: string],
  place: Omit<PostalAddress, 'firstName' | 'lastName'>,
): Person => ({ email, address: { firstName: name[0], lastName: name[1], ...place } })

/** Shoppers from many places, with names and addresses in several scripts. */
export const people: Person[] = [
  person('daniel@example.com', ['Daniel', 'Reyes'], {
    addressLine1: '2140 SE Hawthorne Blvd',
    addressLine2: 'Apt 4B',
    city: 'Portland',
    state: 'OR',
    postalCode: '97214',
    country: 'US',
    phone: '+15035550142',
  }),
  person('zofia@example.com', ['Zofia', 'Wójcik'], {
    addressLine1: 'ul. Świętojańska 12/3',
    city: 'Gdynia',
    postalCode: '81-368',
    country: 'PL',
    phone: '+48221234567',
  }),
  person('hana.sato@example.jp', ['花', '佐藤'], {
    addressLine1: '北区梅田1丁目2-3',
    addressLine2: 'グランドコート 504',
    city: '大阪市',
    state: '大阪府',
    postalCode: '530-0001',
    country: 'JP',
    phone: '+81663451234',
  }),
  person('fatima@example.com.kw', ['فاطمة', 'العلي'], {
    title: 'Dr.',
    addressLine1: 'شارع سالم المبارك، قطعة 4',
    city: 'السالمية',
    postalCode: '22001',
    country: 'KW',
    phone: '+96522241234',
  }),
  person('moritz.krueger@example.de', ['Moritz', 'Krüger'], {
    company: 'Krüger & Söhne "Papier" GmbH',
    addressLine1: 'Weserstraße 58',
    city: 'Berlin',
    postalCode: '12045',
    country: 'DE',
    phone: '+4930123456',
  }),
  person('lena.fischer@example.de', ['Lena', 'Fischer'], {
    addressLine1: 'Große Bergstraße 7',
    city: 'Hamburg',
    postalCode: '22767',
    country: 'DE',
    phone: '+4940987654',
  }),
  person('olivia.brown@example.com', ['Olivia', 'Brown'], {
    addressLine1: '18 Maple Avenue',
    city: 'Burlington',
    state: 'VT',
    postalCode: '05401',
    country: 'US',
    phone: '+18025550177',
  }),
  person('marcus.lee@example.com', ['Marcus', 'Lee'], {
    company: 'Lee & Daughters <Stationers>',
    addressLine1: '455 Valencia Street',
    addressLine2: 'Suite 210',
    city: 'San Francisco',
    state: 'CA',
    postalCode: '94103',
    country: 'US',
    phone: '+14155550119',
  }),
  person('siobhan@example.ie', ["Siobhán O'Connor", 'Ní Dhomhnaill'], {
    addressLine1: '3 Quay Street',
    city: 'Galway',
    postalCode: 'H91 T2X7',
    country: 'IE',
    phone: '+35391555012',
  }),
  person('jose.alvarez@example.es', ['José Ángel', 'Álvarez Núñez'], {
    addressLine1: 'Calle del Pez 21, 2º izq.',
    city: 'Madrid',
    postalCode: '28004',
    country: 'ES',
    phone: '+34915550133',
  }),
  person('kenji.tanaka@example.jp', ['健二', '田中'], {
    company: '株式会社 文具堂',
    addressLine1: '神田神保町2-15',
    city: '千代田区',
    state: '東京都',
    postalCode: '101-0051',
    country: 'JP',
    phone: '+81335551234',
  }),
  person('chloe.martin@example.fr', ['Chloé', 'Martin'], {
    addressLine1: '14 rue de l’Église',
    city: 'Lyon',
    postalCode: '69002',
    country: 'FR',
    phone: '+33478555001',
  }),
  person('grace.kim@example.com', ['Grace', 'Kim'], {
    addressLine1: '901 Summit Street',
    city: 'Columbus',
    state: 'OH',
    postalCode: '43215',
    country: 'US',
    phone: '+16145550150',
  }),
  person('bruno@example.it', ['Bruno', 'D’Amico'], {
    addressLine1: 'Via Sant’Ambrogio 9',
    city: 'Torino',
    state: 'TO',
    postalCode: '10138',
    country: 'IT',
    phone: '+390115550122',
  }),
  person('yousef@example.com.kw', ['يوسف', 'الراشد'], {
    addressLine1: 'شارع الخليج العربي 17',
    city: 'مدينة الكويت',
    postalCode: '13001',
    country: 'KW',
    phone: '+96522405678',
  }),
  person('tom.byrne@example.com', ['Tom', 'Byrne'], {
    addressLine1: '77 Harbor View Road',
    city: 'Portland',
    state: 'ME',
    postalCode: '04101',
    country: 'US',
    phone: '+12075550164',
  }),
]
