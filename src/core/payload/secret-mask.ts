/** The admin's form shows this in place of a secret. It has a file of its own because the browser loads it too. */
export const secretMask = '••••••••'
