import type { Product } from '../../payload-types.ts'

interface PictureProps {
  image: Product['image']
  /** CSS pixels; pictures are square, and drawn as vectors. */
  size: number
  /** Worth waiting for, as it is seen at once. */
  isAtTheTop?: boolean
  /** Stands beside the words that say the same. */
  isDecoration?: boolean
}

/** A product's picture; its place stays free where there is none. */
export function Picture({ image, isAtTheTop, isDecoration, size }: PictureProps) {
  const picture = typeof image === 'object' ? image : undefined
  if (!picture?.url) return <div aria-hidden="true" className="no-picture" />
  return (
    <img
      alt={isDecoration ? '' : (picture.alt ?? '')}
      height={size}
      loading={isAtTheTop ? 'eager' : 'lazy'}
      src={picture.url}
      width={size}
    />
  )
}
