// Recognizes texts that contain something of the shape of a well-known key. Independent of documents.

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

export const looksLikeSecret = (text: string): boolean => SECRET_SHAPES.some((shape) => shape.test(text));
