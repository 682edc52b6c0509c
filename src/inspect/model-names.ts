// What the name of a model tells of its trade. A guess by words: names are free, so neither answer is a promise. Pure.

/** Families of embedding models, and the word that most of them carry. */
const EMBEDDERS =
  /embed|(?:^|[^a-z])(?:bge|gte|e5|sbert|minilm|mpnet|labse|stella|instructor|paraphrase|sentence|voyage|arctic)(?:[^a-z]|$)/i;
/** Families of chat models. */
const CHATTERS =
  /chat|instruct|coder|(?:^|[^a-z])(?:gpt|chatgpt|o[134]|claude|gemini|gemma|llama|codellama|qwen|qwq|mistral|ministral|mixtral|phi|deepseek|command|smollm|granite|falcon|vicuna|yi|hermes|nemotron|olmo|grok|kimi|glm)(?![a-z])/i;

/** Whether the name says that the model embeds. */
export const isKnownEmbedder = (model: string): boolean => EMBEDDERS.test(model);

/** Whether the name is that of a family of chat models, and says nothing of embedding. */
export const isKnownChatModel = (model: string): boolean => !isKnownEmbedder(model) && CHATTERS.test(model);
