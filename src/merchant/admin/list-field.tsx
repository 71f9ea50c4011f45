import type { TextFieldServerProps } from 'payload'
import { fieldForReader } from './field-for-reader.js'
import { ListSelect } from './list-select.js'

/** A field that shows Klaviyo's lists by name, and stores the ids of the picked ones. */
export const ListField = (props: TextFieldServerProps & { path: string }) => (
  <ListSelect field={fieldForReader(props)} path={props.path} readOnly={props.readOnly ?? false} />
)
