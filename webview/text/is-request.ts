// Tells whether a pasted text looks like a request to a model, such as a cURL command. The host reads it; this only decides
// whether to offer that.

/** In UTF-16 code units from the start; what a text is shows there. */
const MAX_HEAD = 20_000;

const SIGNS: readonly RegExp[] = [
  /^\s*(?:[$>%] |PS [^>\n]{1,200}> ?)?curl(?:\.exe)?\s/,
  /^(?:POST|PUT) \S+(?: HTTP\/[\d.]+)?\s*$/m,
  /^\s*[[{][^]*"(?:messages|input|contents|log|resourceSpans|run_type|observations|lanes)"\s*:/,
  /\bfetch\(\s*["'`]https?:/,
  /\b(?:requests|httpx)\.(?:post|request)\(/,
  /\.(?:chat\.completions|responses|messages)\.(?:create|stream)\(/,
  /\bollama\.chat\(|\bnew \w+Provider\(/,
  /\bInvoke-(?:WebRequest|RestMethod)\b|^\s*(?:irm|iwr) /m,
  // The pane of a browser, and an error of the AI SDK.
  /^Request URL:?\s+https?:/m,
  /\brequestBodyValues: \{/,
];

export function isRequest(text: string): boolean {
  const head = text.slice(0, MAX_HEAD);
  return SIGNS.some((sign) => sign.test(head));
}
