// Agents as classes: `@Agent` stores the options of a class, and `runAgent` looks them up. Runs nothing itself.
import type { SamplingParams } from '../../types';
import { InvalidOptionsError } from '../errors';
import type { Providers } from '../providers/providers';
import { checkTools } from '../providers/call/check-call';
import { checkSampling } from '../sampling/check-sampling';
import { checkNumber } from '../util/check-options';
import { isRecord } from '../util/json';
import type { Budget } from './budget';
import { checkBudget } from './budget';
import type { AgentTool } from './execute-tool';
import type { AgentHooks } from './hooks';
import { checkHooks } from './hooks';

/** What an agent sends its chats to: a provider, or a wrapper around one, such as one that queues requests. */
export type AgentProvider = Pick<Providers, 'chat' | 'hasRates'>;

/** The options of an agent. */
export interface AgentOptions {
  /** The provider to which the chats are sent. */
  provider: AgentProvider;
  /** Overrides the provider's own sampling key by key; a value of `undefined` overrides nothing. */
  sampling?: SamplingParams | undefined;
  /** Tools that the model may call. @default [] */
  tools?: readonly AgentTool[] | undefined;
  /** The system message. @default none */
  prompt?: string | undefined;
  /** Limits of each run. @default no limit */
  budget?: Budget | undefined;
  /** Maximum number of steps. A step is one chat, and the tool calls that the model made in it. @default 10 */
  maxSteps?: number | undefined;
}

/** An agent defined without a class. */
export interface AgentDefinition extends AgentOptions {
  /** Hooks of each run. @default none */
  hooks?: AgentHooks | undefined;
}

/** An instance of a class with `@Agent`. `constructor` is listed so that TypeScript does not demand a hook there. */
export interface AgentInstance extends AgentHooks {
  readonly constructor: unknown;
  /** Distinguishes an instance from a definition. */
  readonly provider?: never;
  /** Distinguishes an instance from a class, such as one whose constructor needs arguments. */
  readonly prototype?: never;
}

/** A class with `@Agent`. Each run creates one instance, without arguments. */
export type AgentClass = new () => AgentInstance;

/** What `runAgent` accepts: a definition, a class with `@Agent`, or an instance of one. */
export type AgentSource = AgentDefinition | AgentClass | AgentInstance;

const optionsOfClass = new WeakMap<object, AgentOptions>();

/**
 * Makes a class an agent; its methods that are named like hooks are its hooks. A standard (TC39) class decorator. Subclasses
 * of the class are agents too.
 */
export function Agent(options: AgentOptions) {
  return <Class extends new (...args: never[]) => AgentInstance>(
    target: Class,
    _context?: ClassDecoratorContext<Class>,
  ): void => {
    optionsOfClass.set(target, options);
  };
}

/** @throws InvalidOptionsError when the value is not an agent, or is one that cannot run */
export function resolveAgent(agent: AgentSource): AgentDefinition {
  const definition = findDefinition(agent);
  const provider: unknown = definition?.provider;
  if (!definition || typeof Object(provider).chat !== 'function') {
    throw new InvalidOptionsError(
      'agent',
      'is neither a class with @Agent, nor an instance of one, nor a definition with a provider',
    );
  }
  const { hooks, maxSteps, prompt, sampling, tools } = definition;
  checkSampling(sampling);
  checkTools(tools);
  if (prompt !== undefined && typeof prompt !== 'string')
    throw new InvalidOptionsError('prompt', 'must be a text');
  checkNumber('maxSteps', maxSteps, { min: 1, integer: true });
  checkHooks(hooks);
  checkBudget(definition.budget, definition.provider.hasRates);
  return definition;
}

function findDefinition(agent: AgentSource): AgentDefinition | undefined {
  if (typeof agent === 'function') {
    const options = findOptions(agent);
    return options && { ...options, hooks: new agent() };
  }
  const given: unknown = agent;
  if (!isRecord(given)) return undefined;
  const options = findOptions(agent.constructor);
  if (agent.provider) return agent;
  return options && { ...options, hooks: agent };
}

function findOptions(target: unknown): AgentOptions | undefined {
  if (typeof target !== 'function') return undefined;
  return optionsOfClass.get(target) ?? findOptions(Object.getPrototypeOf(target));
}
