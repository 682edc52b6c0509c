// What is left of a prompt that is longer than the context: its end. A server that cuts says nothing of it, and the front is
// where the tools and the system prompt stand. Pure.
import type { DemoRequest } from './scenario';
import { CHARACTERS_PER_TOKEN, countTokens, renderPrompt } from './tokens';

type Asked = Omit<DemoRequest, 'attempt'>;

/** The request as the model gets to read it. Without a context size in it, the context is as large as one likes. */
export function cutToContext<Request extends Asked>(request: Request): Request {
  const { numCtx } = request.sampling;
  if (numCtx === undefined || numCtx <= 0 || countTokens(renderPrompt(request)) <= numCtx) return request;
  // the last message is kept, whatever its length
  return { ...request, tools: [], messages: request.messages.slice(-1) };
}

/** As much of the rendered prompt as the context holds: of what is cut, exactly so much was read. */
export function renderRead(request: Asked): string {
  const prompt = renderPrompt(request);
  const { numCtx } = request.sampling;
  return numCtx === undefined || numCtx <= 0 ? prompt : prompt.slice(-numCtx * CHARACTERS_PER_TOKEN);
}
