/**
 * Stands in for Klaviyo's script: it keeps the visitor in the cookie `__kla_id`, takes the exchange id of a
 * link, makes the calls that waited, and sends events to the client API. It has no forms.
 */
export const ONSITE_SCRIPT = `(() => {
  const { origin, searchParams } = new URL(document.currentScript.src)
  const company = searchParams.get('company_id')
  const name = '__kla_id'

  const read = () => {
    const pair = document.cookie.split('; ').find((text) => text.startsWith(name + '='))
    try {
      return JSON.parse(atob(pair.slice(name.length + 1)))
    } catch {
      return { cid: crypto.randomUUID() }
    }
  }
  const visitor = read()
  const keep = () => {
    document.cookie = name + '=' + btoa(JSON.stringify(visitor)) + '; Path=/; Max-Age=63072000; SameSite=Lax'
  }
  const linked = new URLSearchParams(location.search).get('_kx')
  if (linked) visitor.$exchange_id = linked
  keep()

  const profile = () => ({
    type: 'profile',
    attributes: {
      anonymous_id: visitor.cid,
      ...(visitor.$exchange_id && { _kx: visitor.$exchange_id }),
    },
  })
  const post = (path, data) =>
    fetch(origin + '/client/' + path + '?company_id=' + encodeURIComponent(company), {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/vnd.api+json', revision: '2026-07-15' },
      body: JSON.stringify({ data }),
    })

  const methods = {
    async track(metric, { $event_id: id, $value: value, $value_currency: currency, ...properties } = {}) {
      const attributes = {
        properties,
        ...(id !== undefined && { unique_id: id }),
        ...(value !== undefined && { value }),
        ...(currency !== undefined && { value_currency: currency }),
        metric: { data: { type: 'metric', attributes: { name: metric } } },
        profile: { data: profile() },
      }
      return (await post('events', { type: 'event', attributes })).ok
    },
    async identify({ email }) {
      visitor.$exchange_id ??= 'standin.' + visitor.cid
      const { ok } = await post('profiles', {
        type: 'profile',
        attributes: { email, _kx: visitor.$exchange_id },
      })
      keep()
      return ok
    },
    // Klaviyo's own script keeps them in the browser, too.
    async trackViewedItem(item) {
      const before = JSON.parse(localStorage.getItem('__kla_viewed') ?? '[]')
      localStorage.setItem('__kla_viewed', JSON.stringify([item, ...before].slice(0, 20)))
      return true
    },
    isIdentified: async () => visitor.$exchange_id !== undefined,
  }
  const call = async ([method, ...values]) => {
    const done = typeof values.at(-1) === 'function' ? values.pop() : () => {}
    const answer = await methods[method]?.(...values)
    done(answer)
    return answer
  }
  const waiting = window._klOnsite ?? []
  window.klaviyo = {
    ...Object.fromEntries(Object.keys(methods).map((method) => [method, (...values) => call([method, ...values])])),
    push: call,
  }
  window._klOnsite = { push: call }
  waiting.forEach(call)
})()
`
