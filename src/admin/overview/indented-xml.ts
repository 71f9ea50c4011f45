/** XML one element a line, for people to read. What is between two tags stays as it is. */
export function indentedXml(xml: string): string {
  let depth = 0
  const lines = xml.match(/<\?[^>]*\?>|<\/[^>]+>|<[^>]*\/>|<[^/?][^>]*>[^<]*(?:<\/[^>]+>)?/g) ?? []
  return lines
    .map((line) => {
      if (line.startsWith('</')) depth -= 1
      const indented = '  '.repeat(Math.max(depth, 0)) + line.trimEnd()
      if (isOpening(line)) depth += 1
      return indented
    })
    .join('\n')
}

/** An element whose end is on a later line. */
const isOpening = (line: string) =>
  !line.startsWith('</') && !line.startsWith('<?') && !line.endsWith('/>') && !line.includes('</')
