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
