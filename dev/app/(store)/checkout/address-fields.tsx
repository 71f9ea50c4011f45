import { countries } from '../../../countries.ts'

interface AddressFieldsProps {
  of: 'shipping' | 'billing'
  /** Of the country names. */
  language: string
  /** What is known of who buys. */
  buyer?: Partial<Record<'firstName' | 'lastName' | 'phone', string>>
}

interface AddressField {
  name: string
  label: string
  autoComplete: string
  isOptional?: boolean
}

const beforeCountry: AddressField[] = [
  { name: 'firstName', label: 'First name', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Last name', autoComplete: 'family-name' },
  { name: 'company', label: 'Company', autoComplete: 'organization', isOptional: true },
  { name: 'addressLine1', label: 'Street and number', autoComplete: 'address-line1' },
  {
    name: 'addressLine2',
    label: 'Flat, floor, care of',
    autoComplete: 'address-line2',
    isOptional: true,
  },
  { name: 'postalCode', label: 'Postal code', autoComplete: 'postal-code' },
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'state', label: 'State or region', autoComplete: 'address-level1', isOptional: true },
]

/** The fields of a postal address, named `shipping.city` and so on. */
export function AddressFields({ buyer = {}, language, of }: AddressFieldsProps) {
  const known: Record<string, string | undefined> = buyer
  return (
    <div className="address">
      {beforeCountry.map((field) => (
        <TextField field={field} key={field.name} known={known[field.name]} of={of} />
      ))}
      <div className="field">
        <label htmlFor={`${of}.country`}>Country</label>
        <select autoComplete={`${of} country`} id={`${of}.country`} name={`${of}.country`} required>
          <option value="">Choose …</option>
          {countries(language).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <TextField
        field={{ name: 'phone', label: 'Phone', autoComplete: 'tel', isOptional: true }}
        known={known.phone}
        of={of}
      />
    </div>
  )
}

interface TextFieldProps {
  field: AddressField
  known: string | undefined
  of: 'shipping' | 'billing'
}

function TextField({ field, known, of }: TextFieldProps) {
  const id = `${of}.${field.name}`
  return (
    <div className={`field ${field.name}`}>
      <label htmlFor={id}>
        {field.label} {field.isOptional && <span className="optional">if any</span>}
      </label>
      <input
        autoComplete={`${of} ${field.autoComplete}`}
        defaultValue={known}
        id={id}
        maxLength={100}
        name={id}
        required={!field.isOptional}
        type={field.name === 'phone' ? 'tel' : 'text'}
      />
    </div>
  )
}
