/** RFC 2606 reserves the domain, so nothing that is mailed to it reaches anybody. */
export const exampleProfile = {
  email: 'storeconnect-test@example.com',
  firstName: 'Storeconnect',
  lastName: 'Test',
}
