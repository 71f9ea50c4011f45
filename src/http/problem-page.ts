import { escapeHtml } from './escape-html.js'

/** A small page that says what went wrong, to a person who opened an action's URL in a browser. */
export function problemPage(problem: {
  status: number
  message: string
  requestId: string
}): string {
  const message = escapeHtml(problem.message)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${problem.status}: ${message}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 15vh auto 0; max-width: 34rem; padding: 0 1.5rem }
h1 { font-size: 1.5rem }
small { opacity: .7 }
</style>
</head>
<body>
<main>
<h1>${message}</h1>
<p><small>Status ${problem.status} · Request ${escapeHtml(problem.requestId)}</small></p>
</main>
</body>
</html>
`
}
