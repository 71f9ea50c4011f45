import { countryCode, elements, optionalText, text } from './schema-values.ts'

const billTo = elements({
  Name: text(100),
  Company: optionalText(100),
  Address1: optionalText(200),
  Address2: optionalText(200),
  City: optionalText(100),
  State: optionalText(100),
  PostalCode: optionalText(50),
  Country: countryCode.default(''),
  Phone: optionalText(50),
  Email: optionalText(),
}).transform((found) => ({
  name: found.Name,
  company: found.Company,
  address1: found.Address1,
  address2: found.Address2,
  city: found.City,
  state: found.State,
  postalCode: found.PostalCode,
  country: found.Country,
  phone: found.Phone,
  email: found.Email,
}))

const shipTo = elements({
  Name: text(100),
  Company: optionalText(100),
  Address1: text(200),
  Address2: optionalText(200),
  City: text(100),
  State: text(100),
  PostalCode: text(50),
  Country: countryCode,
  Phone: optionalText(50),
}).transform((found) => ({
  name: found.Name,
  company: found.Company,
  address1: found.Address1,
  address2: found.Address2,
  city: found.City,
  state: found.State,
  postalCode: found.PostalCode,
  country: found.Country,
  phone: found.Phone,
}))

/** Who buys, who pays, who receives. */
export const customer = elements({
  CustomerCode: text(100),
  BillTo: billTo,
  ShipTo: shipTo,
}).transform((found) => ({
  customerCode: found.CustomerCode,
  billTo: found.BillTo,
  shipTo: found.ShipTo,
}))
