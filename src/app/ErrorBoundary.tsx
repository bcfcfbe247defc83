import { Component, type ReactNode } from 'react';
import { t } from '../i18n/i18n';
import { ReloadState } from '../ui/ReloadState';

interface Props {
  /** A change of it resets the boundary: the path. */
  resetKey: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  failedKey: string | undefined;
}

/** Shows a failed screen as such, with a retry. The tab bar around it keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, failedKey: undefined };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (state.error === undefined) return null;
    if (state.failedKey === undefined) return { failedKey: props.resetKey };
    if (state.failedKey === props.resetKey) return null;
    return { error: undefined, failedKey: undefined };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <ReloadState title={t('errors.screenTitle')}>{t('errors.screen')}</ReloadState>;
  }
}
