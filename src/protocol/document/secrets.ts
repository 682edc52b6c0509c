// Recognizes secrets, by the name of a field or by the shape of a well-known key, so that both sides refuse the same ones.

/**
 * Names of header fields and members of a request that contain a secret. Repeats the library's `SECRET_NAME`, which neither
 * the panel nor the activation of the extension can load, and the one in the manifest; a test keeps them equal.
 */
export const SECRET_NAME =
  /authorization|cookie|api[-_]?key|(access|auth|secret|subscription|functions|private|master)[-_]?key|token$|secret|passw|passphrase|credential|^(key|sig)$/i;

/**
 * Each pattern begins with fixed characters and has a fixed or small length, so that searching is linear in the length of
 * the text. The lookbehind keeps `sk-…` apart from the end of a word such as `task-…`.
 */
const SECRET_SHAPES: readonly RegExp[] = [
  // OpenAI, Anthropic, OpenRouter and services that use the same form
  /(?<![\w-])sk-[\w-]{16}/,
  // GitHub
  /(?<!\w)gh[opusr]_[A-Za-z0-9]{30}/,
  /(?<!\w)github_pat_\w{22}/,
  // Slack
  /(?<!\w)xox[a-z]-[\w-]{10}/,
  // Amazon
  /(?<!\w)A(?:KI|SI)A[A-Z0-9]{16}/,
  // Google
  /(?<!\w)AIza[\w-]{30}/,
  // Hugging Face and Groq
  /(?<!\w)hf_[A-Za-z0-9]{30}/,
  /(?<!\w)gsk_[A-Za-z0-9]{20}/,
  /(?<!\w)bearer\s{1,8}[\w.~+/=-]{20}/i,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
];

/** Whether the text contains something of the shape of a well-known key. */
export const looksLikeSecret = (text: string): boolean => SECRET_SHAPES.some((shape) => shape.test(text));

/** The text with a `*` for each character of what has such a shape, up to the end of its word. */
export const maskSecrets = (text: string): string =>
  SECRET_SHAPES.reduce(
    (rest, shape) =>
      rest.replaceAll(new RegExp(`${shape.source}[\\w.~+/=-]*`, `g${shape.flags}`), (found) =>
        '*'.repeat(found.length),
      ),
    text,
  );

/** Whether a member of a request body must not be stored in a document. */
export const isSecretMember = (name: string, value: unknown): boolean =>
  typeof value === 'string' && value !== '' && (SECRET_NAME.test(name) || looksLikeSecret(value));
