// Truncates a prompt that is longer than the context to its end. Servers do that silently, and the beginning is where the
// tools and the system prompt are. Pure.
import type { DemoRequest } from './scenario';
import { CHARACTERS_PER_TOKEN, countTokens, renderPrompt } from './tokens';

type PromptRequest = Omit<DemoRequest, 'attempt'>;

/** The request as the model gets it. Without a context size in the request, the context is unlimited. */
export function cutToContext<Request extends PromptRequest>(request: Request): Request {
  const { numCtx } = request.sampling;
  if (numCtx === undefined || numCtx <= 0 || countTokens(renderPrompt(request)) <= numCtx) return request;
  // The last message is kept, whatever its length.
  return { ...request, tools: [], messages: request.messages.slice(-1) };
}

/** The end of the rendered prompt that fits into the context: a truncated prompt fills it completely. */
export function renderRead(request: PromptRequest): string {
  const prompt = renderPrompt(request);
  const { numCtx } = request.sampling;
  return numCtx === undefined || numCtx <= 0 ? prompt : prompt.slice(-numCtx * CHARACTERS_PER_TOKEN);
}
