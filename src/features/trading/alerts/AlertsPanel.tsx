// The whole screen is the panel.
export { AlertsScreen as default } from './AlertsScreen';
