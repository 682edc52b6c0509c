// A program with Anthropic's official client that calls its tool for as long as the model asks for that.
import type Anthropic from '@anthropic-ai/sdk';
import type { Message, MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { Told } from './weather-tool';
import { PARAMETERS, QUESTION, RESULT } from './weather-tool';

function ask(
  client: Anthropic,
  model: string,
  messages: MessageParam[],
  { stream }: { stream: boolean },
): Promise<Message> {
  const tools = [{ name: 'get_weather', input_schema: PARAMETERS }];
  const request = { model, max_tokens: 1000, messages, tools };
  return stream ? client.messages.stream(request).finalMessage() : client.messages.create(request);
}

export async function runMessagesLoop(
  client: Anthropic,
  stream: boolean,
  model = 'm',
): Promise<Told & { replies: Message[] }> {
  const messages: MessageParam[] = [{ role: 'user', content: QUESTION }];
  const cities: string[] = [];
  const replies: Message[] = [];
  for (;;) {
    const reply = await ask(client, model, messages, { stream });
    replies.push(reply);
    const results: ToolResultBlockParam[] = [];
    for (const block of reply.content) {
      if (block.type !== 'tool_use') continue;
      cities.push((block.input as { city: string }).city);
      results.push({ type: 'tool_result', tool_use_id: block.id, content: RESULT });
    }
    const text = reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    if (reply.stop_reason !== 'tool_use') return { text, cities, replies };
    messages.push({ role: 'assistant', content: reply.content }, { role: 'user', content: results });
  }
}
