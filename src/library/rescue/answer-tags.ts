// The tags that some models put around what the reader is to see. Knows nothing of calls.

const TAGS = [{ open: '<response>', close: '</response>' }] as const;

/** The content without the tags around all of it; as it is when they are not there, or not both. */
export function unwrapAnswer(content: string): string {
  const tag = TAGS.find(({ open, close }) => content.startsWith(open) && content.endsWith(close));
  const isOne = tag !== undefined && content.indexOf(tag.close) === content.length - tag.close.length;
  return isOne ? content.slice(tag.open.length, -tag.close.length).trim() : content;
}
