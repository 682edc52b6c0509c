// The kinds of text in which a request is found, one line each. Of equally sure ones the first reads a text.
import type { RequestSource } from './found-request';
import { CURL_SOURCE } from './sources/curl-source';
import { HAR_SOURCE } from './sources/har-source';
import { HTTP_SOURCE } from './sources/http-source';
import { JSON_SOURCE } from './sources/json-source';
import { LANGFUSE_SOURCE } from './sources/langfuse-source';
import { LANGSMITH_SOURCE } from './sources/langsmith-source';
import { LOG_SOURCE } from './sources/log-source';
import { OPEN_TELEMETRY_SOURCE } from './sources/open-telemetry-source';
import { PLAYGROUND_SOURCE } from './sources/playground-source';
import { SCRIPT_SOURCE } from './sources/script-source';

export const REQUEST_SOURCES: readonly RequestSource[] = [
  PLAYGROUND_SOURCE,
  HAR_SOURCE,
  OPEN_TELEMETRY_SOURCE,
  LANGSMITH_SOURCE,
  LANGFUSE_SOURCE,
  JSON_SOURCE,
  CURL_SOURCE,
  HTTP_SOURCE,
  SCRIPT_SOURCE,
  LOG_SOURCE,
];
