// All formats, in the order in which they are tried where their openers collide. One line per format.
import type { RescueFormat } from '../core/rescue-format';
import { glmXml, hunyuanV3, hunyuanV4, ifmXml, iquest, longcat, tagKeywords } from './argument-pairs';
import { jsonBare, jsonFence, openaiEnvelope, xlam } from './bare-json';
import { bracketName, bracketToolCall, lmstudio } from './bracket-calls';
import { deepseekDsml, gigachat } from './dsml';
import { bfclXml, minicpm5, qwenXml, seedOss } from './function-tags';
import { functionGemma, gemma4 } from './gemma-calls';
import { continueCodeblock } from './continue-codeblock';
import { deepseekV3, deepseekV31 } from './deepseek';
import { gemmaToolCode } from './gemma-tool-code';
import { harmony } from './harmony';
import { hermesJson } from './hermes-json';
import {
  apertus,
  commandR7b,
  functools,
  inkling,
  internlm,
  openpanguV2,
  phiToolToken,
  rwkv,
  sarashina,
} from './json-tokens';
import { graniteFc, graniteList, nemotronToolcall, toolCallsTag } from './json-tags';
import { anthropicInvoke, atem, dots, minimaxM2, minimaxM3, step3 } from './invoke-tags';
import { kimiK3 } from './kimi-k3';
import { functionaryV2, functionaryV3, plamo3, qwenAgent } from './named-json';
import { langchainXml, useMcpTool } from './named-elements';
import { commandR, react, reactJson } from './react';
import { solar } from './solar';
import { nameLineXml, toolTagXml, toolTagYaml } from './tool-elements';
import { kimiK2 } from './kimi-k2';
import { mistralArgs, mistralArray } from './mistral';
import { llamaFunctionTag, llamaJson } from './llama-json';
import { callingTool } from './past-calls';
import { gorilla, lfm2, llamaPythonTag, minicpm, nexus, olmo3 } from './pythonic-blocks';
import { pythonicCall, pythonicList } from './pythonic-calls';
import { vcp } from './vcp';
import { yaml } from './yaml';

export const RESCUE_FORMATS: readonly RescueFormat[] = [
  functionGemma,
  gemma4,
  phiToolToken,
  graniteList,
  graniteFc,
  hermesJson,
  nemotronToolcall,
  openpanguV2,
  lmstudio,
  bracketToolCall,
  internlm,
  apertus,
  gigachat,
  sarashina,
  inkling,
  plamo3,
  qwenAgent,
  functionaryV3,
  functionaryV2,
  vcp,
  rwkv,
  functools,
  callingTool,
  bracketName,
  minicpm5,
  llamaFunctionTag,
  qwenXml,
  seedOss,
  bfclXml,
  tagKeywords,
  glmXml,
  iquest,
  hunyuanV3,
  hunyuanV4,
  longcat,
  ifmXml,
  solar,
  kimiK3,
  step3,
  deepseekDsml,
  anthropicInvoke,
  minimaxM2,
  minimaxM3,
  atem,
  dots,
  deepseekV3,
  deepseekV31,
  kimiK2,
  commandR7b,
  harmony,
  mistralArray,
  mistralArgs,
  langchainXml,
  useMcpTool,
  toolTagXml,
  toolTagYaml,
  nameLineXml,
  toolCallsTag,
  yaml,
  lfm2,
  minicpm,
  olmo3,
  gorilla,
  gemmaToolCode,
  llamaPythonTag,
  llamaJson,
  nexus,
  commandR,
  reactJson,
  react,
  continueCodeblock,
  pythonicList,
  pythonicCall,
  jsonFence,
  xlam,
  openaiEnvelope,
  jsonBare,
];
