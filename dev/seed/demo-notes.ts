/** What shoppers wrote at the checkout. */
export const customerNotes = [
  'Please ring twice, the bell is shy 🔔',
  'Leave it with the neighbour (flat 3), thank you!',
  '不在の場合は宅配ボックスにお願いします。',
  'Proszę o fakturę i ładne zapakowanie 🌷',
  'من فضلك اتصل قبل التوصيل',
  'Gate code <4711> & mind the "friendly" dog 🐕',
]

/** What the staff wrote for the packing table. */
export const internalNotes = [
  'Regular customer: add a sample of the new oolong.',
  'Box was dented last time, use the thick one.',
  'Called on Tuesday, prefers delivery after 16:00.',
  'Paid twice, one payment was returned.',
]

export const giftMessages = [
  'Happy birthday, Mum! 🎂 With love from all of us',
  'お誕生日おめでとうございます 🎁',
  'Wszystkiego najlepszego! — Zofia & Jan',
  'For rainy Sundays.\nYours, T.',
  'كل عام وأنتم بخير',
]
