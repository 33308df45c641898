package cmd

import "github.com/spf13/cobra"

var rootCmd = &cobra.Command{
	Use:   "shop",
	Short: "Sells things",
	RunE: func(cmd *cobra.Command, args []string) error {
		return serve(args)
	},
}

func newBuildCommand() *cobra.Command {
	return &cobra.Command{Use: "build [target]", Run: build}
}

func build(cmd *cobra.Command, args []string) {}

func serve(args []string) error { return rootCmd.Execute() }
