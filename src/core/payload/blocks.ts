import type { FlattenedBlock } from 'payload'

interface BlocksField<Block> {
  blocks: readonly (Block | string)[]
}

/** The blocks that a field has itself. In Payload 4 a text stands for a block of the whole config. */
export const ownBlocks = <Block extends object>({ blocks }: BlocksField<Block>): Block[] =>
  blocks.filter((block): block is Block => typeof block !== 'string')

export const ownBlock = <Block extends { slug: string }>(
  field: BlocksField<Block>,
  slug: string | undefined,
): Block | undefined => ownBlocks(field).find((block) => block.slug === slug)

/**
 * Blocks of one slug whose columns differ have numbered tables; the adapter keeps the number under a symbol of
 * the block.
 */
export function blockInTables(block: FlattenedBlock): string {
  const symbol = Object.getOwnPropertySymbols(block).find(
    ({ description }) => description === 'InternalBlockTableNameIndex',
  )
  const number: unknown = symbol && Reflect.get(block, symbol)
  return number === undefined ? block.slug : `${block.slug}_${String(number)}`
}
