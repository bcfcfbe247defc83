/** The file of the screen that a desktop has at these addresses. */
export const WORKSPACE = 'app/workspace/WorkspaceScreen';

/** Whether a desktop shows the workspace at a route. A phone has the list at `/`, the chart at `/trade`. */
export function isWorkspace(path: string | undefined): boolean {
  return path === '/' || path === '/trade' || path === '/workspace';
}
