import { Agent, HostedApiProvider, runAgent } from '../../src/library';
import type { ToolCall } from '../../src/library';

const weather = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }: { city: string }) => ({ city, temperature: 4 }),
};

@Agent({
  provider: new HostedApiProvider({ apiKey: '', auth: 'none', host: 'http://127.0.0.1:8080/v1' }),
  tools: [weather],
  prompt: 'Answer in one sentence.',
  budget: { maxChatCalls: 5, maxDurationMs: 60_000 }, // checked between steps
})
class Forecaster {
  beforeTool(call: ToolCall) {
    console.log('calls', call.name, call.args); // returns a new call to change it; throws to veto it
  }
}

const report = await runAgent(Forecaster, 'Is it cold in Oslo?');
console.log(report.output, report.stopReason, report.steps.length, report.usage);
