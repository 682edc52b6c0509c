// A model that writes about tools and never calls one.
import { writtenTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';

export const proseOnly: Scenario = {
  name: 'prose-only',
  summary: 'Describes the call it would make, in prose, and never makes it.',
  reply: (request) =>
    writtenTurn(
      request,
      (call) =>
        `I would ask the tool ${call.name}${describe(call.arguments)}, and then tell you what it said.`,
    ),
};

function describe(args: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(args).map(([name, value]) => `${String(value)} as the ${name}`);
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
}
