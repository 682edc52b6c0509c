// Executes one tool call. Any failure becomes a result that the model gets, not an exception for the caller.
import type { ProviderToolCall, ToolCall, ToolObservation, ToolResult, ToolType } from '../../types';
import { checkArguments } from '../rescue/schema/check-arguments';
import { untilAborted } from '../util/abort';
import { isRecord, MAX_NESTING, parseJson, toRecord } from '../util/json';
import { describeThrown } from '../util/thrown';
import { isTooDeep } from '../wire/reply/tool-arguments';
import { toJsonSchema } from '../wire/request/tools';
import type { AgentHooks, ToolContext } from './hooks';

/** Declared as a method, so that a tool may declare its arguments with the type that its schema describes. */
interface Executable {
  execute(args: unknown, context: ToolContext): unknown;
}

/** A tool that an agent can execute. */
export interface AgentTool extends Omit<ToolType, 'execute'> {
  /**
   * Called with arguments whose top level fits `parameters`. The model gets the return value: text unchanged, anything else
   * as JSON, `undefined` as ''. It gets an exception as an error.
   */
  execute?: Executable['execute'] | undefined;
}

export interface ToolServices {
  tools: readonly AgentTool[];
  hooks: AgentHooks;
  signal: AbortSignal;
}

const MAX_SHOWN = 200;

/** Rejects only when the signal aborts or `afterTool` throws. @param index Position of the call in its turn. */
export async function executeTool(
  call: ProviderToolCall,
  services: ToolServices,
  index: number,
): Promise<ToolResult> {
  const context = { signal: services.signal, callId: call.id, index };
  const observation = await observe(call, services, context);
  const reply = await untilAborted(services.signal, () =>
    services.hooks.afterTool?.({ ...observation }, context),
  );
  return { callId: call.id, ...observation, ...toReplacement(reply) };
}

async function observe(
  said: ProviderToolCall,
  services: ToolServices,
  context: ToolContext,
): Promise<ToolObservation> {
  const asked: ToolCall = { name: said.name, args: {} };
  try {
    // A copy, because a tool or hook that changes its arguments must not change the recorded call.
    asked.args = structuredClone(said.arguments);
  } catch {
    return fail(asked, `The arguments of ${said.name} contain something that is not a JSON value.`);
  }
  let call = asked;
  try {
    const reply = await untilAborted(services.signal, () =>
      services.hooks.beforeTool?.({ ...asked }, context),
    );
    call = toCall(asked, reply);
  } catch (error) {
    services.signal.throwIfAborted();
    return fail(asked, `The call of ${asked.name} was refused: ${describeThrown(error)}`);
  }
  const tool = services.tools.find(({ name }) => name === call.name);
  const problem = tool ? findProblem(tool, call.args) : describeUnknown(call.name, services.tools);
  if (problem !== undefined) return fail(call, problem);
  try {
    const value = await untilAborted(services.signal, () => tool?.execute?.(call.args, context));
    return { ...call, output: toOutputText(value), isError: false };
  } catch (error) {
    services.signal.throwIfAborted();
    return fail(call, `The tool ${call.name} failed: ${describeThrown(error)}`);
  }
}

/** The call that `beforeTool` returned; what it lacks, or any other value, keeps the original. */
function toCall(asked: ToolCall, reply: unknown): ToolCall {
  const { name, args = asked.args } = toRecord(reply);
  return { name: typeof name === 'string' ? name : asked.name, args };
}

const fail = (call: ToolCall, output: string): ToolObservation => ({ ...call, output, isError: true });

function findProblem(tool: AgentTool, args: unknown): string | undefined {
  if (!tool.execute) return `The tool ${tool.name} cannot be run here.`;
  if (typeof args === 'string') return `The arguments of ${tool.name} are ${describeText(args)}`;
  const issues = checkArguments(args, toJsonSchema(tool.parameters));
  if (issues.length === 0) return undefined;
  const listed = issues.map(({ path, message }) => `${path === '' ? 'the value' : path} ${message}`);
  return `The arguments of ${tool.name} do not fit its parameters: ${listed.join('; ')}.`;
}

function describeText(args: string): string {
  const shown = args.length > MAX_SHOWN ? `${args.slice(0, MAX_SHOWN)}…` : args;
  const object = parseJson(args);
  if (!isRecord(object)) return `text that is not a JSON object: ${shown}`;
  if (isTooDeep(object)) return `nested deeper than ${MAX_NESTING} levels: ${shown}`;
  return `a text with the JSON of an object, because it was encoded twice. Give the object itself: ${shown}`;
}

function describeUnknown(name: string, tools: readonly AgentTool[]): string {
  const names = tools.map((tool) => tool.name);
  const offered = names.length === 0 ? 'no tool is offered' : `the tools are ${names.join(', ')}`;
  return `There is no tool named ${name}; ${offered}.`;
}

function toReplacement(reply: unknown): Partial<ToolObservation> {
  if (reply === undefined || reply === null) return {};
  if (!isRecord(reply) || !Object.hasOwn(reply, 'output')) return { output: toOutputText(reply) };
  const { output, isError } = reply;
  return { output: toOutputText(output), ...(typeof isError === 'boolean' && { isError }) };
}

function toOutputText(value: unknown): string {
  if (typeof value === 'string') return value;
  // `JSON.stringify` returns undefined for undefined, functions and symbols.
  return JSON.stringify(value) ?? '';
}
