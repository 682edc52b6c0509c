// A run as it is exported: everything that happened, JSON-safe, redacted before it came here. Types only.
import type {
  AttemptRecord,
  AttemptResponse,
  ExchangeRequest,
  Finding,
  ParameterWay,
  RawAssistant,
  RescueReport,
  ToolType,
} from '../../types';

export interface ExportedRun {
  /** Such as `Lane 1`. */
  title: string;
  connectionId: string;
  /** Its label. */
  connection: string;
  model: string;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  verdict: { kind: string; detail: string };
  findings: Pick<Finding, 'severity' | 'what' | 'evidence' | 'next'>[];
  /** Present when it failed. */
  error?: { title: string; what: string; why: string; next: string } | undefined;
  /** Present when a reply came: as the server sent it. */
  raw?: RawAssistant | undefined;
  /** The calls that count. */
  calls: { name: string; arguments: unknown; source: string; format?: string | undefined }[];
  rescue?: RescueReport | undefined;
  tools: Pick<ToolType, 'name' | 'description' | 'parameters'>[];
  parameters: ParameterWay[];
  ledger: AttemptRecord[];
  /** Absent when nothing was sent. */
  request?: ExchangeRequest | undefined;
  /** In their order, as many as attempts are kept. */
  attempts: { name: string; response?: AttemptResponse | undefined }[];
}

/** What is in an export beside the runs. */
export interface ExportInfo {
  /** Such as `Provider Playground 0.1.0`. */
  madeBy: string;
  /** ISO 8601. */
  madeAt: string;
}
