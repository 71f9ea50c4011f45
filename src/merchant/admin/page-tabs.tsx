import { Link } from '@payloadcms/ui'

interface PageTabsProps {
  /** What the pages are, for screen readers. */
  label: string
  tabs: readonly { text: string; url: string; isCurrent: boolean }[]
}

/** Links to pages that belong together. */
export const PageTabs = ({ label, tabs }: PageTabsProps) => (
  <nav aria-label={label}>
    <ul className="storeconnect-tabs">
      {tabs.map(({ text, url, isCurrent }) => (
        <li key={url}>
          <Link aria-current={isCurrent ? 'page' : undefined} href={url}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
    <style href="storeconnect-tabs" precedence="medium">
      {tabStyle}
    </style>
  </nav>
)

const tabStyle = `
.storeconnect-tabs { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; margin: 0 0 1rem; padding: 0; border-bottom: 1px solid var(--theme-border-color, var(--color-border)); }
.storeconnect-tabs a { display: block; padding: 0.5rem 0; color: var(--theme-text, var(--color-text)); text-decoration: none; border-bottom: 2px solid transparent; }
.storeconnect-tabs a:hover { text-decoration: underline; }
.storeconnect-tabs [aria-current] { border-bottom-color: currentcolor; font-weight: 600; }
`
