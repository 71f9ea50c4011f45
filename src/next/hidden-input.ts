import { escapeHtml } from '../http/escape-html.js'

/** A field of a form that the visitor does not see. */
export interface HiddenField {
  name: string
  value: string
}

/** The HTML of a hidden field, for a page that is made of text. */
export const hiddenInput = ({ name, value }: HiddenField): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
