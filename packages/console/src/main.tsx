import { render } from 'preact';
import { Console } from './shell/console.tsx';
import { applyTheme } from './shell/theme.tsx';

applyTheme();
const root = document.getElementById('root');
if (root !== null) render(<Console />, root);
