import type { Locator } from 'playwright-core'

/** Texts that are harder to read than WCAG's level AA has it, each with its contrast. */
export const paleTexts = (root: Locator): Promise<string[]> =>
  root.evaluate((element) => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    const brush = canvas.getContext('2d', { willReadFrequently: true })

    /** What a colour comes to on top of another one, whatever way it is written. */
    const paint = (colours: string[]): number[] => {
      if (!brush) throw new Error('The browser has no canvas')
      brush.clearRect(0, 0, 1, 1)
      for (const colour of colours) {
        brush.fillStyle = colour
        brush.fillRect(0, 0, 1, 1)
      }
      return [...brush.getImageData(0, 0, 1, 1).data]
    }
    const luminance = (colours: string[]): number => {
      const [red = 0, green = 0, blue = 0] = paint(colours).map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const papersBelow = (from: Element): string[] => {
      const papers: string[] = []
      for (let at: Element | null = from; at; at = at.parentElement) {
        papers.unshift(getComputedStyle(at).backgroundColor)
      }
      return papers
    }
    const contrast = (of: Element): number => {
      const papers = papersBelow(of)
      const ink = luminance([...papers, getComputedStyle(of).color])
      const paper = luminance(papers)
      return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)
    }
    const hasText = ({ childNodes }: Element) =>
      [...childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '')
    return [element, ...element.querySelectorAll('*')]
      .filter((each) => hasText(each) && each.checkVisibility())
      .map((each) => ({ text: each.textContent ?? '', is: contrast(each) }))
      .filter(({ is }) => is < 4.5)
      .map(({ text, is }) => `${text.slice(0, 60)}: ${is.toFixed(2)}`)
  })
