/** Puts each XML element on a line of its own, for people to read. Text between tags stays as it is. */
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

/** Whether the end tag is on a later line. */
const isOpening = (line: string) =>
  !line.startsWith('</') && !line.startsWith('<?') && !line.endsWith('/>') && !line.includes('</')
