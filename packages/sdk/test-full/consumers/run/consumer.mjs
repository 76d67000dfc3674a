import { createRequire } from 'node:module';
import process from 'node:process';
import * as sdk from '@model-gateway/sdk';
import { createFakeClient } from '@model-gateway/sdk/testing';
import scenario from './scenario.cjs';

const required = createRequire(import.meta.url)('@model-gateway/sdk');
const isOneClass = required.LlmError === sdk.LlmError && required.ToolError === sdk.ToolError;
const seen = await scenario.runScenario(sdk, { createFakeClient });
process.stdout.write(JSON.stringify({ names: Object.keys(sdk).sort(), isOneClass, ...seen }));
