/** Body of `POST /api/lists/{id}/relationships/profiles`. */
export const listMembersBody = (ids: readonly string[]) => ({
  data: ids.map((id) => ({ type: 'profile', id })),
})
