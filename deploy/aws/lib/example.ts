/** The deployment of `node app.ts` without a file: two apps, of which one meters credits. */
export const example = {
  company: 'acme',
  account: '111122223333',
  region: 'eu-west-1',
  host: 'gateway.acme.example',
  certificateArn:
    'arn:aws:acm:eu-west-1:111122223333:certificate/5c1f0e6a-0000-4000-8000-000000000000',
  image: '111122223333.dkr.ecr.eu-west-1.amazonaws.com/model-gateway:0.1.0',
  keyRingSecretArn:
    'arn:aws:secretsmanager:eu-west-1:111122223333:secret:model-gateway/keys-AbCdEf',
  apps: [
    { name: 'search', dailyBudgetUsd: '50' },
    {
      name: 'tutor',
      dailyBudgetUsd: '20',
      credits: { monthlyGrant: '1000', usdPerCredit: '0.01' },
    },
  ],
};
