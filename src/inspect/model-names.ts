// Guesses from a model's name whether it embeds or chats. Names are free, so neither answer is certain. Pure.

/** Families of embedding models, and `embed`, which most of their names contain. */
const EMBEDDERS =
  /embed|(?:^|[^a-z])(?:bge|gte|e5|sbert|minilm|mpnet|labse|stella|instructor|paraphrase|sentence|voyage|arctic)(?:[^a-z]|$)/i;
/** Families of chat models. */
const CHATTERS =
  /chat|instruct|coder|(?:^|[^a-z])(?:gpt|chatgpt|o[134]|claude|gemini|gemma|llama|codellama|qwen|qwq|mistral|ministral|mixtral|phi|deepseek|command|smollm|granite|falcon|vicuna|yi|hermes|nemotron|olmo|grok|kimi|glm)(?![a-z])/i;

/** Whether the name suggests an embedding model. */
export const isKnownEmbedder = (model: string): boolean => EMBEDDERS.test(model);

/** Whether the name is that of a chat model family and does not suggest an embedding model. */
export const isKnownChatModel = (model: string): boolean => !isKnownEmbedder(model) && CHATTERS.test(model);
