import type { DocumentId } from '../commerce/order.js'
import type { Site } from '../commerce/site.js'
import type { ApiRequest } from '../http/shopping-site.js'

/** The sites of the installation. They are few and seldom change, so a process remembers them. */
export interface Sites {
  /**
   * The enabled site whose base URL fits the URL best, by origin and longest path; else the primary
   * one. Undefined where the store has no sites.
   */
  at(url: string): Promise<Site | undefined>
  /** The site that a shopper was on when the CMS's own API was asked. */
  ofRequest(request: ApiRequest): Promise<Site | undefined>
  /** Whether a site, enabled or not, is at this path, such as `/de`, of whatever origin. */
  hasPath(path: string): Promise<boolean>
  /** Whether an enabled site is on this origin, such as `https://shop.example`. */
  hasOrigin(origin: string): Promise<boolean>
  /** Undefined when there is none of that id, or when its document makes no site. */
  find(id: DocumentId | undefined): Promise<Site | undefined>
  /** Sites that sell for this commerce store, this one among them. */
  ofStore(store: string): Promise<Site[]>
  /** Has the next question read the sites again. */
  forget(): void
}
