// The API gives one of the gateway's answers, too: it stands below both.
export { gatewayAnswer } from '../inference/gateway-answer.ts';
