import { render } from 'preact';
import { Console } from './shell/console.tsx';
import { copyExactAmounts } from './shell/copy-exact.ts';
import { applyTheme } from './shell/theme.tsx';

applyTheme();
copyExactAmounts();
const root = document.getElementById('root');
if (root !== null) render(<Console />, root);
