// Pages that are often opened one after the other: the browser fetches them together.
export { AccessView } from '../pages/access/access.tsx';
export { ActivityView } from '../pages/activity/activity.tsx';
export { AppView } from '../pages/app/app.tsx';
export { AppsView } from '../pages/apps/apps.tsx';
export { BudgetsView } from '../pages/budgets/budgets.tsx';
export { KeysView } from '../pages/keys/keys.tsx';
export { RotateKey } from '../pages/keys/rotate.tsx';
export { ModelsView } from '../pages/models/models.tsx';
